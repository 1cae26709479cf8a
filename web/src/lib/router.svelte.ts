/** Pages by their paths, with the browser's own history. */

/** Where the person is, and what a page keeps with this place, which comes back with it. */
export const route = $state<{ path: string; query: string; kept: string | null }>({
  path: location.pathname,
  query: location.search,
  kept: history.state as string | null,
});

/** Go to a page of the site. */
export function go(path: string): void {
  if (path !== location.pathname + location.search) history.pushState(null, '', path);
  arrive();
  scrollTo(0, 0);
}

/** Go there without leaving a way back to here. */
export function replace(path: string): void {
  history.replaceState(null, '', path);
  arrive();
}

/** Go to a page that shows a text, which is kept with its place. */
export function goWith(text: string, path: string): void {
  history.pushState(text, '', path);
  arrive();
  scrollTo(0, 0);
}

function arrive(): void {
  const isElsewhere = route.path !== location.pathname;
  route.path = location.pathname;
  route.query = location.search;
  route.kept = history.state as string | null;
  // Whoever goes by keys or by ear begins at the top of the new page.
  if (isElsewhere) document.getElementById('main')?.focus({ preventScroll: true });
}

/** Follow links of the site without loading it anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

addEventListener('popstate', arrive);

/** The parts of a path that fits a pattern such as /match/:id; null where it does not. */
export function fits(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.replace(/\/$/, '').split('/')];
  if (wanted.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const text = given[at] as string;
    if (!part.startsWith(':')) {
      if (part !== text) return null;
      continue;
    }
    const decoded = decode(text);
    if (decoded === null) return null;
    found[part.slice(1)] = decoded;
  }
  return found;
}

/** A part of a path as people read it; null where it is no text. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
