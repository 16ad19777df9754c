import type { Setting } from './preferences.js';

/** Settings to change; missing ones stay as they are. */
export type ChannelSettings = { readonly [Name in Exclude<Setting, 'active'>]?: boolean };

const SETTINGS = { IN_APP: 'in_app', EMAIL: 'email' } as const;

export interface ChannelChange {
  readonly channel: keyof typeof SETTINGS;
  readonly enabled: boolean;
}

/** Converts a list of channels to settings; undefined when it has a channel twice, as the values can differ. */
export function channelSettings(given: readonly ChannelChange[]): ChannelSettings | undefined {
  const settings = Object.fromEntries(given.map(({ channel, enabled }) => [SETTINGS[channel], enabled]));
  return Object.keys(settings).length === given.length ? settings : undefined;
}
