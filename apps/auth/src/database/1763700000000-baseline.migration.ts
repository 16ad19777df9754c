import type { MigrationInterface, QueryRunner } from 'typeorm';
import { functions } from './baseline/functions.js';
import { sites } from './baseline/sites.js';
import { clients } from './baseline/clients.js';
import { grants } from './baseline/grants.js';
import { accounts } from './baseline/accounts.js';
import { operations } from './baseline/operations.js';
import { replaced } from './baseline/replaced.js';

const PARTS = [functions, sites, clients, grants, accounts, operations];

/** The schema of v0.1.0. It replaces the migrations from before (ADR 174). */
export class Baseline1763700000000 implements MigrationInterface {
  readonly name = 'Baseline1763700000000';
  readonly replaces = replaced;

  async up(runner: QueryRunner): Promise<void> {
    for (const part of PARTS) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop view site_roles;
      drop table
        audit_log, form_submissions, mails, password_changes, password_reset_requests, email_changes,
        email_link_requests, email_links, invitations, passkey_challenges, passkeys, sign_in_attempts,
        refresh_tokens, access_tokens, authorization_codes, grants, interactions, sessions, signing_keys, consents,
        client_logos, client_documents, clients, profile_pictures, member_requests, deleted_sites, school_students,
        site_appearances, site_schools, site_members, people, sites cascade;
      drop function
        site_members_state, audit_log_is_append_only;
    `);
  }
}
