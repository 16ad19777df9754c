/** `node test/manifests/validate.ts <file>`: prints the faults of objects by the models of Kubernetes and operators. */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { modelOf } from './models.ts';

interface Model {
  new (object: object): { validate(): void };
}

interface Rendered {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

const faults: string[] = [];
for (const document of parseAllDocuments(readFileSync(process.argv[2] ?? '', 'utf8'))) {
  const object = document.toJS() as Rendered;
  const model = modelOf(object);
  if (model === undefined) continue;
  const { [object.kind]: Kind } = (await import(model)) as Record<string, Model | undefined>;
  try {
    if (Kind === undefined) throw new Error('the model does not exist');
    new Kind(object).validate();
  } catch (error) {
    faults.push(`${object.kind}/${object.metadata.name}: ${(error as Error).message}`);
  }
}
process.stdout.write(JSON.stringify(faults));
