import { collections } from './collections.js';

it('provides each service by one module', () => {
  const services = collections.flatMap((module) => module.services);
  expect(services.length).toBeGreaterThan(30);
  expect(services.filter((service, index) => services.indexOf(service) !== index)).toEqual([]);
});
