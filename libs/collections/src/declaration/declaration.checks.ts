import { isScope } from '@lyceum/contracts';
import type { Declared } from './declared.js';

/** @throws Error for a declaration that the types accept, and that a request would fail by */
export function requireDeclared(declared: Declared): void {
  const { name, scope, resource, view = {}, toolItem = [], toolMembers = {}, operations } = declared;
  const fault = (text: string): never => {
    throw new Error(`The collection ${name}: ${text}`);
  };
  if (!isScope(`${scope}:read`) && !isScope(`${scope}:write`)) fault(`the scope ${scope} does not exist`);
  const members = { ...resource.object.shape, ...toolMembers };
  for (const member of Object.keys(view)) {
    if (!(member in members)) fault(`the view shows ${member}, which is no member of ${resource.name}`);
  }
  const listed = { ...resource.summary.shape, ...toolMembers };
  for (const member of toolItem) {
    if (!(member in listed)) fault(`toolItem names ${member}, which items of the list do not have`);
  }
  const reads = operations.list !== undefined || operations.get !== undefined;
  for (const member of reads ? Object.keys(resource.expand) : []) {
    if (operations.expand?.[member] === undefined) fault(`operations.expand lacks ${member}`);
  }
}
