import { Idiomorph } from 'idiomorph';

/** Makes a part of the page equal to another one. What has not changed stays as it is: the focus, a selection, an open list. */
export async function morph(old: Element, next: Element): Promise<void> {
  await Idiomorph.morph(old, next, { morphStyle: 'outerHTML', ignoreActiveValue: true });
}
