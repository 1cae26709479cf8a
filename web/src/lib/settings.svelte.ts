/** What a person has set on this device, kept by the browser. */

export interface Settings {
  theme: 'system' | 'light' | 'dark' | 'contrast';
  pieces: 'art' | 'letters';
  confirm: boolean;
  sounds: boolean;
  motion: boolean;
  level: number;
}

const KEY = 'menagerie.settings';

const isTouch = () => matchMedia('(pointer: coarse)').matches;
const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function usual(): Settings {
  return { theme: 'system', pieces: 'art', confirm: isTouch(), sounds: true, motion: !isCalm(), level: 1 };
}

function kept(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
  } catch {
    return {};
  }
}

export const settings: Settings = $state({ ...usual(), ...kept() });

/** Change a setting and remember it. */
export function set<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [name]: value }));
  } catch {
    // A browser that keeps nothing still plays.
  }
  dress();
}

/** Put the theme on the page. */
export function dress(): void {
  const root = document.documentElement;
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset['theme'] = settings.theme === 'system' ? (isDark ? 'dark' : 'light') : settings.theme;
  root.dataset['motion'] = settings.motion ? 'on' : 'off';
}
