import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigurationError, readConfiguration } from '../src/configuration/configuration.js';

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('readConfiguration with NAME_FILE', () => {
  const schema = z.object({ SECRET: z.string().min(3) });
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'lyceum-configuration-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const fileWith = (content: string): string => {
    const path = join(directory, 'secret');
    writeFileSync(path, content);
    return path;
  };

  it('reads the value from the file without the trailing line break', () => {
    expect(readConfiguration(schema, { SECRET_FILE: fileWith(' abc \n') })).toEqual({ SECRET: ' abc ' });
  });

  it('removes one line break only', () => {
    expect(readConfiguration(schema, { SECRET_FILE: fileWith('abc\n\n') })).toEqual({ SECRET: 'abc\n' });
  });

  it('rejects a variable that is set both ways', () => {
    const faults = faultsOf(() => readConfiguration(schema, { SECRET: 'abc', SECRET_FILE: fileWith('def') }));
    expect(faults).toEqual(['SECRET: is given twice, also as SECRET_FILE']);
  });

  it('names the variable of an unreadable file', () => {
    const faults = faultsOf(() => readConfiguration(schema, { SECRET_FILE: join(directory, 'nothing') }));
    expect(faults).toEqual(['SECRET: the file named by SECRET_FILE cannot be read']);
  });

  it('validates the content like a variable', () => {
    expect(faultsOf(() => readConfiguration(schema, { SECRET_FILE: fileWith('') }))).toEqual(['SECRET: is required']);
    expect(faultsOf(() => readConfiguration(schema, { SECRET_FILE: fileWith('ab') }))).toHaveLength(1);
  });
});
