import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackMemory } from './stack-memory.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-memory-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the memory of a stack', () => {
  it('remembers across starts that the sites are filled, until the definition changes', () => {
    const memory = (): StackMemory => new StackMemory(join(directory, 'memory.json'));
    memory().demoDay('databases', '2027-01-31');
    memory().rememberFilling();
    expect(memory().isFilled).toBe(false);
    memory().rememberSeed('first', []);
    expect(memory().isFilled).toBe(false);
    memory().rememberFilling();
    expect(memory().isFilled).toBe(true);
    memory().rememberSeed('second', []);
    expect([memory().seeded('first'), memory().seeded('second'), memory().isFilled]).toEqual([undefined, [], false]);
  });

  it('keeps the day on which the demo was made, until the databases are others', () => {
    const memory = (): StackMemory => new StackMemory(join(directory, 'day.json'));
    expect(memory().demoDay('a', '2027-01-31')).toBe('2027-01-31');
    memory().rememberSeed('first', []);
    memory().rememberFilling();
    expect([memory().demoDay('a', '2027-02-28'), memory().isFilled]).toEqual(['2027-01-31', true]);
    expect(memory().demoDay('b', '2027-03-01')).toBe('2027-03-01');
    expect(memory().demoDay('b', '2027-03-02')).toBe('2027-03-01');
  });

  it('does not fill again a demo that was made before days were remembered', () => {
    const file = join(directory, 'former.json');
    const memory = (): StackMemory => new StackMemory(file);
    writeFileSync(file, JSON.stringify({ migrated: {}, seeded: { key: 'former', sites: [] }, filled: 'former' }));
    const [one, other] = ['2027-01-31', '2027-02-01'].map((today) => memory().demoDay('a', today));
    expect(one).toBe(other);
    memory().rememberSeed('next', []);
    expect(memory().isFilled).toBe(true);
  });
});
