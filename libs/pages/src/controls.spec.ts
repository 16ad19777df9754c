import { select } from './controls.js';

const LANGUAGE = { name: 'locale', label: 'Language', chosen: 'ja' };

describe('A select', () => {
  it('says the purpose of the field and the language of each choice (WCAG 1.3.5, 3.1.2)', () => {
    const choices = [
      { value: '', words: 'No language' },
      { value: 'ja', words: '日本語', lang: 'ja' },
    ];
    const { text } = select({ ...LANGUAGE, choices, autocomplete: 'language' });
    expect(text).toMatch(/<select id="locale" name="locale" autocomplete="language"\s*>/);
    expect(text).toMatch(/<option value=""\s*>No language<\/option>/);
    expect(text).toMatch(/<option value="ja" lang="ja" selected>日本語<\/option>/);
  });

  it('leaves both attributes out without them', () => {
    expect(select({ ...LANGUAGE, choices: [{ value: 'ja', words: 'Japanese' }] }).text).not.toMatch(
      /autocomplete|lang=/,
    );
  });
});
