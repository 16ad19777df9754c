const SCHEMES: readonly string[] = ['nats:', 'tls:'];

/** The addresses of `NATS_URL`, which commas separate. One without a scheme is `nats://`. @throws TypeError */
export function addressesOf(text: string): URL[] {
  return text.split(',').map((part) => {
    const address = part.trim();
    return new URL(address.includes('://') ? address : `nats://${address}`);
  });
}

/** True when each address has a host, and a scheme that the client connects by. */
export function areAddresses(text: string): boolean {
  try {
    return addressesOf(text).every(({ protocol, hostname }) => SCHEMES.includes(protocol) && hostname !== '');
  } catch {
    return false;
  }
}
