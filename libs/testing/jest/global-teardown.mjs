export default async function globalTeardown() {
  await globalThis.lyceumServers?.stop();
}
