import type { Setting } from './preferences.js';

/** What to change; what is left out stays. */
export type ChannelSettings = { readonly [Name in Exclude<Setting, 'active'>]?: boolean };

const SETTINGS = { IN_APP: 'in_app', EMAIL: 'email', PUSH: 'push' } as const;

export interface ChannelChange {
  readonly channel: keyof typeof SETTINGS;
  readonly enabled: boolean;
}

/** The settings that a list of channels means; undefined when it names one twice, for it cannot mean both. */
export function channelSettings(given: readonly ChannelChange[]): ChannelSettings | undefined {
  const settings = Object.fromEntries(given.map(({ channel, enabled }) => [SETTINGS[channel], enabled]));
  return Object.keys(settings).length === given.length ? settings : undefined;
}
