import { demoDefinition } from './demo.js';
import { type DemoFacts, demoTable } from './demo-facts.js';

const facts: DemoFacts = {
  sites: demoDefinition(8080).sites.map(({ base_url, name, org_id = '', people, clients }) => ({
    base_url,
    name,
    org_id,
    people,
    clients,
  })),
  services: [],
};
const FILE = '.lyceum/demo.json';

/** The lines of a section, without its title. */
function linesOf(text: string, title: string): string[] {
  const section = text.split('\n\n').find((one) => one.startsWith(title)) ?? '';
  return section
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replaceAll(/ {2,}/g, ' | '))
    .filter(Boolean);
}

describe('the last lines of npm start', () => {
  it('lists the pages of the first site, each with the person who signs in there', () => {
    expect(linesOf(demoTable(facts, FILE), 'Open')).toEqual([
      'http://localhost:8080/ | front page',
      'http://localhost:8080/docs | reference and guides for developers',
      'http://localhost:8080/account | own pages of a member: sign in as student@harbour.example',
      'http://localhost:8080/admin | admin area of the site: sign in as owner@harbour.example',
      'http://localhost:8080/-/mails | sent mails',
      'http://localhost:8080/auth.md | how a client of your own gets tokens',
    ]);
  });

  it('shows the commands that print tokens, and a call with one', () => {
    expect(linesOf(demoTable(facts, FILE), 'Tokens')).toEqual([
      'npm run -s token | member API and tools, as student@harbour.example',
      'npm run -s token -- --audience operator | operator API and tools, as owner@harbour.example',
    ]);
    expect(linesOf(demoTable(facts, FILE), 'Try')).toEqual([
      'curl -s http://localhost:8080/api/v1/courses -H "Authorization: Bearer $(npm run -s token -- --audience operator)"',
    ]);
  });

  it('names the file of the facts when it is not the default one', () => {
    const lines = linesOf(demoTable(facts, '/data/demo.json'), 'Tokens');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^npm run -s token -- --demo \/data\/demo\.json \|/);
    expect(lines[1]).toMatch(/^npm run -s token -- --demo \/data\/demo\.json --audience operator \|/);
  });

  it('leaves the commands out when no file has the facts', () => {
    expect(demoTable(facts)).not.toContain('npm run');
    expect(linesOf(demoTable(facts), 'Open')).toHaveLength(6);
  });
});
