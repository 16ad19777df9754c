import { channelSettings } from './channels.policy.js';

const on = (channel: 'IN_APP' | 'EMAIL' | 'PUSH') => ({ channel, enabled: true });

it.each([
  ['nothing', [], {}],
  ['one', [on('EMAIL')], { email: true }],
  ['all', [on('IN_APP'), { channel: 'EMAIL', enabled: false }, on('PUSH')], { in_app: true, email: false, push: true }],
] as const)('a list of %s changes just that', (_what, given, settings) => {
  expect(channelSettings(given)).toEqual(settings);
});

it.each([
  ['the same twice', [on('PUSH'), on('PUSH')]],
  ['one both ways', [on('EMAIL'), { channel: 'EMAIL', enabled: false }]],
] as const)('a list with %s means nothing', (_what, given) => {
  expect(channelSettings(given)).toBeUndefined();
});
