/** Marks in the navigation the section that is being read. */
export function markPlace(contents: HTMLElement): void {
  const links = new Map(
    [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
  );
  const seen = new Set<string>();
  const watcher = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) seen.add(target.id);
        else seen.delete(target.id);
      }
      const current = [...links.keys()].find((id) => seen.has(id));
      for (const [id, link] of links) {
        if (id === current) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    },
    // A narrow band near the top of the window is where people read.
    { rootMargin: '-10% 0px -80% 0px' },
  );
  for (const place of document.querySelectorAll('.operation, #calling, #errors, #shapes, .doc h2'))
    watcher.observe(place);
}
