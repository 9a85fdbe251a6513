import { copyButtons } from './copy.js';
import { findIn } from './find.js';
import { markPlace } from './place.js';

/** The page is whole without this; here is what makes it handier. */
const contents = document.querySelector<HTMLDetailsElement>('.contents details');
if (contents) {
  const narrow = matchMedia('(max-width: 64rem)');
  // On a small screen the contents would stand in front of everything else.
  contents.open = !narrow.matches;
  contents.addEventListener('click', ({ target }) => {
    if (narrow.matches && target instanceof Element && target.closest('a')) contents.open = false;
  });
  const field = contents.querySelector<HTMLInputElement>('#find');
  if (field) findIn(contents, field);
  markPlace(contents);
}
copyButtons();
openTarget();
addEventListener('hashchange', openTarget);

/** An address may name something that is inside of what is closed. */
function openTarget(): void {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const closed = target?.closest('details');
  if (closed) closed.open = true;
}
