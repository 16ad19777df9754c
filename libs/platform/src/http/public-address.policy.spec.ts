import { isPublicAddress } from './public-address.policy.js';

describe('A public address', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '2606:4700::1111',
  ])('accepts %s as a public address', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback too', '127.255.255.254'],
    ['private (10)', '10.0.0.1'],
    ['private (172.16)', '172.16.0.1'],
    ['private (172.31)', '172.31.255.255'],
    ['private (192.168)', '192.168.1.1'],
    ['link-local and the metadata service', '169.254.169.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['protocol assignments', '192.0.0.8'],
    ['6to4 relays', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified (IPv6)', '::'],
    ['loopback (IPv6)', '::1'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped, in hexadecimal', '::ffff:7f00:1'],
    ['mapped and public', '::ffff:1.1.1.1'],
    ['compatible', '::127.0.0.1'],
    ['compatible, in hexadecimal', '::7f00:1'],
    ['translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a local network', '64:ff9b:1::7f00:1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['link-local (IPv6)', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['unique local', 'fc00::1'],
    ['unique local too', 'fd12:3456::1'],
    ['multicast (IPv6)', 'ff02::1'],
    ['documentation (IPv6)', '2001:db8::1'],
    ['discard', '100::1'],
    ['not given out', '4000::1'],
    ['a name', 'localhost'],
    ['nothing', ''],
  ])('rejects an address that is %s', (_name, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
