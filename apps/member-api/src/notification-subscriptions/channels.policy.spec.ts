import { channelSettings } from './channels.policy.js';

const on = (channel: 'IN_APP' | 'EMAIL') => ({ channel, enabled: true });

it.each([
  ['nothing', [], {}],
  ['one', [on('EMAIL')], { email: true }],
  ['all', [on('IN_APP'), { channel: 'EMAIL', enabled: false }], { in_app: true, email: false }],
] as const)('changes only the channels of a list of %s', (_what, given, settings) => {
  expect(channelSettings(given)).toEqual(settings);
});

it.each([
  ['one channel twice', [on('IN_APP'), on('IN_APP')]],
  ['one channel on and off', [on('EMAIL'), { channel: 'EMAIL', enabled: false }]],
] as const)('rejects a list with %s', (_what, given) => {
  expect(channelSettings(given)).toBeUndefined();
});
