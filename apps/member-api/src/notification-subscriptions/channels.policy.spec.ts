import { channelSettings } from './channels.policy.js';

const on = (channel: 'IN_APP' | 'EMAIL' | 'PUSH') => ({ channel, enabled: true });

it.each([
  ['nothing', [], {}],
  ['one', [on('EMAIL')], { email: true }],
  ['all', [on('IN_APP'), { channel: 'EMAIL', enabled: false }, on('PUSH')], { in_app: true, email: false, push: true }],
] as const)('changes only the channels of a list of %s', (_what, given, settings) => {
  expect(channelSettings(given)).toEqual(settings);
});

it.each([
  ['one channel twice', [on('PUSH'), on('PUSH')]],
  ['one channel on and off', [on('EMAIL'), { channel: 'EMAIL', enabled: false }]],
] as const)('rejects a list with %s', (_what, given) => {
  expect(channelSettings(given)).toBeUndefined();
});
