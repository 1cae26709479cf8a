/** Swipes to the left and right, which step through a replay. */

const FAR = 40;

/** Tell each swipe: one on for a swipe to the left, one back for one to the right. */
export function swipe(element: HTMLElement, tell: (step: number) => void): () => void {
  let begin: Touch | null = null;
  const start = (event: TouchEvent) => (begin = event.touches.length === 1 ? (event.touches[0] ?? null) : null);
  const end = (event: TouchEvent) => {
    const last = event.changedTouches[0];
    if (!begin || !last) return;
    const [x, y] = [last.clientX - begin.clientX, last.clientY - begin.clientY];
    if (Math.abs(x) > FAR && Math.abs(x) > 2 * Math.abs(y)) tell(x < 0 ? 1 : -1);
    begin = null;
  };
  element.addEventListener('touchstart', start, { passive: true });
  element.addEventListener('touchend', end, { passive: true });
  return () => {
    element.removeEventListener('touchstart', start);
    element.removeEventListener('touchend', end);
  };
}
