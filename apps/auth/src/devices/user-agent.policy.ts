import { say } from '@lyceum/messages';

/** The first match counts: most browsers name the ones that they resemble, too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, 'iPadOS'],
  [/\b(iPhone|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const named = (rules: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined =>
  rules.find(([pattern]) => pattern.test(userAgent))?.[1];

/** Browser and system without versions, which browsers freeze. Neither has text of the header: a program sends any. */
export interface Device {
  readonly browser?: string | undefined;
  readonly system?: string | undefined;
}

/** Undefined for a program, and for an unknown browser on an unknown system. */
export function deviceOf(userAgent: string | null | undefined): Device | undefined {
  const [browser, system] = [named(BROWSERS, userAgent ?? ''), named(SYSTEMS, userAgent ?? '')];
  return browser === undefined && system === undefined ? undefined : { browser, system };
}

/** The device in words. */
export function deviceName({ browser, system }: Device): string | undefined {
  if (browser === undefined) return system && say('account.some_browser_on', { system });
  return system === undefined ? browser : say('account.browser_on', { browser, system });
}

/** Browser and system in words. Undefined for an unknown browser on an unknown system. */
export function browserName(userAgent: string | null): string | undefined {
  const device = deviceOf(userAgent);
  return device && deviceName(device);
}
