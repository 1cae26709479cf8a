/** Dragging with a mouse or a finger, over the board and the hands alike. */

export interface Drag {
  begin: () => boolean;
  move: (x: number, y: number) => void;
  drop: (touch: string | null) => void;
}

const SLACK = 6;

/** Follow a pointer that went down; what it is dropped on is found by its `data-touch`. */
export function follow(down: PointerEvent, drag: Drag): void {
  if (down.button !== 0) return;
  const element = down.currentTarget as HTMLElement;
  let isDragging = false;

  const move = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    const isFar = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > SLACK;
    if (!isDragging && isFar) {
      if (!drag.begin()) return stop();
      isDragging = true;
      element.setPointerCapture(down.pointerId);
    }
    if (isDragging) drag.move(event.clientX, event.clientY);
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    stop();
    if (!isDragging) return;
    silenceClick();
    const under = document.elementFromPoint(event.clientX, event.clientY);
    drag.drop(under?.closest<HTMLElement>('[data-touch]')?.dataset['touch'] ?? null);
  };
  const cancel = () => {
    stop();
    if (isDragging) drag.drop(null);
  };
  const stop = () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', cancel);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', cancel);
}

/** The click that a browser makes of the end of a drag means nothing. */
function silenceClick(): void {
  const silence = (event: Event) => event.stopPropagation();
  addEventListener('click', silence, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', silence, { capture: true }), 0);
}
