import type { Cases } from '@lyceum/collections/conventions';
import { TEACHER } from './course-cases.js';

export const exportCases: Cases = {
  create: (unique) => ({ collection: 'students', format: 'csv', filters: { q: unique } }),
  readOnly: ['created_by', 'state', 'error', 'rows_count', 'bytes', 'expires_at', 'download_url'],
  derived: ['created_by', 'expires_at'],
  scopes: {
    'GET /api/v1/exports': 'students:read',
    'GET /api/v1/exports/{id}': 'students:read',
    'POST /api/v1/exports': 'students:read',
    'POST /api/v1/exports/{id}/cancel': 'students:read',
  },
  states: { member: 'state', initial: 'queued', moves: { cancel: { queued: 'canceled', canceled: 'canceled' } } },
  personal: true,
  fenced: TEACHER,
  // An export has no own key.
  exempt: ['filters by time, own key and words'],
};
