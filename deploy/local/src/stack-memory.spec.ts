import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackMemory } from './stack-memory.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-memory-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the memory of a stack', () => {
  it('remembers across starts that the sites are filled, until the definition changes', () => {
    const memory = (): StackMemory => new StackMemory(join(directory, 'memory.json'));
    memory().rememberFilling();
    expect(memory().isFilled).toBe(false);
    memory().rememberSeed('first', []);
    expect(memory().isFilled).toBe(false);
    memory().rememberFilling();
    expect(memory().isFilled).toBe(true);
    memory().rememberSeed('second', []);
    expect([memory().seeded('first'), memory().seeded('second'), memory().isFilled]).toEqual([undefined, [], false]);
  });
});
