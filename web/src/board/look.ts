/** Looking at something: the mouse is over it, a finger rests on it, or the keys have come to it. */

const LONG = 450;

/** Tell when a person begins to look at an element, and when they look away. */
export function look(tell: (isLooked: boolean) => void): (element: HTMLElement) => () => void {
  return (element) => {
    let press: ReturnType<typeof setTimeout> | undefined;
    const away = () => {
      clearTimeout(press);
      tell(false);
    };
    const deeds: Record<string, (event: Event) => void> = {
      pointerenter: (event) => (event as PointerEvent).pointerType === 'mouse' && tell(true),
      pointerdown: (event) => {
        clearTimeout(press);
        if ((event as PointerEvent).pointerType === 'touch') press = setTimeout(() => tell(true), LONG);
      },
      pointerup: () => clearTimeout(press),
      pointerleave: away,
      focus: () => element.matches(':focus-visible') && tell(true),
      blur: away,
    };
    for (const [name, deed] of Object.entries(deeds)) element.addEventListener(name, deed);
    return () => {
      clearTimeout(press);
      for (const [name, deed] of Object.entries(deeds)) element.removeEventListener(name, deed);
    };
  };
}
