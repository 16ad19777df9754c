import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first use of the tools by a grant: MCP connections that a site switches off are grants with one. */
export class ToolUses1764000296800 implements MigrationInterface {
  name = 'ToolUses1764000296800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table grants add column tools_used_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table grants drop column tools_used_at');
  }
}
