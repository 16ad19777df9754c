export default async function globalTeardown() {
  await globalThis.lyceumInfrastructure?.stop();
}
