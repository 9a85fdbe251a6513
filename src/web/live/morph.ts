import { Idiomorph } from 'idiomorph';
import { CheckHere } from './check-here.js';
import { Copy } from './copy.js';

/** Makes a part of the page equal to another one. What has not changed stays as it is: the focus, a selection, an open list; and so does what is marked `data-keep`, such as files on their way. */
export async function morph(old: Element, next: Element): Promise<void> {
  await Idiomorph.morph(old, next, {
    morphStyle: 'outerHTML',
    ignoreActiveValue: true,
    callbacks: { beforeNodeMorphed: (node) => !(node instanceof HTMLElement && node.dataset.keep !== undefined) },
  });
  // The other page has not run its script, so the buttons that elements have added themselves are gone.
  for (const one of document.querySelectorAll('main cf-copy, main cf-verify'))
    if (one instanceof Copy || one instanceof CheckHere) one.connectedCallback();
}
