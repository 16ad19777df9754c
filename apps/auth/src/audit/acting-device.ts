import { currentActor, currentReader } from '@lyceum/platform';
import { deviceName, deviceOf } from '#src/devices/user-agent.policy.js';
import type { Device } from '#src/devices/user-agent.policy.js';

/** The details of an entry with the browser and system of the person on whose page it is written. */
export function withActingDevice(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const device = currentActor()?.via === 'page' ? deviceOf(currentReader()?.userAgent) : undefined;
  return device === undefined ? details : { ...details, device };
}

const nameIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Such as "Chrome on macOS". Undefined for an entry of a program, and of an earlier release. */
export function deviceIn({ device }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof device !== 'object' || device === null) return undefined;
  const { browser, system }: { [Name in keyof Device]?: unknown } = device;
  return deviceName({ browser: nameIn(browser), system: nameIn(system) });
}
