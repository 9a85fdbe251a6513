import { consolePage, overviewPage } from '../overview/page.js';
import { tourPage } from '../overview/tour.js';
import type { Page } from '../page.js';

/** The page that people see first. */
export const startPages: readonly Page[] = [overviewPage, consolePage, tourPage];
