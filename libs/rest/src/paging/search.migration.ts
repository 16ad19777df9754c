import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Functions of searches. They depend on no locale of the database (ADR 204). */
export class Search1795987200030 implements MigrationInterface {
  readonly name = 'Search1795987200030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(String.raw`
      -- The bytes of a text in lower case as hexadecimal digits, which pg_trgm reads as letters in each locale. A space
      -- at the end, so that each byte has another one after it. U+0080, which no text has, before punctuation that few
      -- texts have: the digits of # and ## alone also begin in the middle of bytes of most texts
      create function search_key(searched text) returns text language sql immutable strict parallel safe
        return encode(
          decode(
            replace(
              regexp_replace(
                lower((searched || ' ') collate pg_catalog.pg_c_utf8), '[!-,/:-?[-^{-~]', U&'\0080\\&', 'g'),
              '\', '\\'),
            'escape'),
          'hex');

      -- The pattern of keys with a word. A trigram of one byte has the first digit of the next one
      create function search_pattern(word text) returns text language sql immutable strict parallel safe
        return left(search_key(word), -2) || case when octet_length(word) = 1 then '[0-9a-f]' else '' end`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function search_pattern(text); drop function search_key(text)');
  }
}
