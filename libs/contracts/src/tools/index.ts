export {
  TOOLS_BUCKET,
  completionInputSchema,
  completionName,
  completionOutputSchema,
  capabilitySubject,
  promptDescriptionSchema,
  resourceDescriptionSchema,
  toolCallSchema,
  toolCatalogSchema,
  toolDescriptionSchema,
  toolLeaseSchema,
  toolsEntrySchema,
} from './tools.js';
export type {
  CompletionInput,
  CompletionOutput,
  CapabilityKind,
  PromptDescription,
  ResourceDescription,
  ScopesByArgument,
  ToolCatalog,
  ToolDescription,
  ToolLease,
  ToolsEntry,
} from './tools.js';
export { contentOutputSchema, inputRequiredSchema, promptOutputSchema } from './tool-content.js';
export type { CallingClient, ContentOutput, InputRequired, PromptOutput } from './tool-content.js';
export {
  foreignAudience,
  holdsScopesOfSomeCall,
  isUnknownChoice,
  scopesOfCall,
  toolAccess,
} from './tool-access.policy.js';
export type { ScopedTool } from './tool-access.policy.js';
