export { Authenticator, FLAGS } from './authenticator.js';
export type { CeremonyOptions, Tampering } from './authenticator.js';
export { selfSigned } from './certificate.js';
export { connectAs } from './connect-as.js';
export { databaseGate } from './database-gate.js';
export type { DatabaseGate } from './database-gate.js';
export { forgetEvents } from './forget-events.js';
export { testInfrastructure } from './infrastructure.js';
export type { Infrastructure, TestAuth, TestSite } from './infrastructure.js';
export { instantColumns } from './instant-columns.js';
export { emptyDatabase, testDatabase } from './test-database.js';
export type { TestDatabase } from './test-database.js';
export { committedSamples } from './committed-samples.js';
export { memoryVolume } from './memory-volume.js';
export type { MemoryVolume } from './memory-volume.js';
export { changeNatsUsers } from './nats-users.js';
export type { NatsUser } from './nats-users.js';
export { testNats } from './test-nats.js';
export type { TestNats } from './test-nats.js';
export { testPostgres } from './test-postgres.js';
export type { TestPostgres } from './test-postgres.js';
export { startInfrastructure } from './start-infrastructure.js';
export type { CommandRequest } from './start-command-server.js';
export { startOtlpReceiver } from './otlp-receiver.js';
export type { OtlpReceiver, ReceivedSpan } from './otlp-receiver.js';
export {
  BrowserSession,
  OAuthClient,
  approve,
  encodedParameters,
  eventually,
  formWith,
  freePort,
  mintToken,
  postForms,
  randomText,
  s256,
  zipFile,
} from '@lyceum/local';
export type { Credentials, Form, MintOptions, OAuthParameters, Page, TokenSet, ZipEntry } from '@lyceum/local';
export { MigratedDatabase } from './migrated-database.js';
export { schemaSnapshot } from './schema-snapshot.js';
export { unindexedForeignKeys } from './unindexed-foreign-keys.js';
export { IntrospectionServer, MEMBER_ID, PERSON_ID, activeAt, respondJson } from './introspection-server.js';
export type { IntrospectionResponse } from './introspection-server.js';
export { withPartialForms } from './partial-forms.js';
export { startS3Server } from './s3-server.js';
export type { S3Server } from './s3-server.js';
export { send } from './send.js';
export type { ReceivedResponse } from './send.js';
export { surfaceToken } from './surface-token.js';
export { untilReady } from './until-ready.js';
export { bucketValues } from './bucket-values.js';
export { PATIENT_SETTINGS } from './patient-settings.js';
export { genericPlanOf, planOf, rowsRead, statementOf } from './query-plan.js';
export type { PlanNode } from './query-plan.js';
export { publishedCapabilities, subjectIn } from './published-capabilities.js';
export { ServedRoles } from './served-roles.js';
export { signedCall } from './signed-call.js';
export type { GatewayCall } from './signed-call.js';
export { smtpSink } from './smtp-sink.js';
export type { Received } from './smtp-sink.js';
export { runConformance } from './mcp-conformance.js';
export type { ExpectedFailures } from './mcp-conformance.js';
export { McpSource } from './mcp-source.js';
