import { findPage } from '../find/page.js';
import { consolePage, overviewPage } from '../overview/page.js';
import { tourPage } from '../overview/tour.js';
import type { Page } from '../page.js';

/** The page that people see first, and the one that leads to everything. */
export const startPages: readonly Page[] = [overviewPage, consolePage, tourPage, findPage];
