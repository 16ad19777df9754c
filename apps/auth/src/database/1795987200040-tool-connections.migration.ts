import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Connections of a site were found by its own clients, which those of platforms are not. */
export class ToolConnections1795987200040 implements MigrationInterface {
  readonly name = 'ToolConnections1795987200040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Serves the count of connections before MCP connections are switched off.
      create index grants_with_tools on grants (site_id) where tools_used_at is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index grants_with_tools');
  }
}
