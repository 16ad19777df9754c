import { SetMetadata } from '@nestjs/common';
import type { z } from 'zod';
import type { CapabilityDeclaration } from './tool.decorator.js';

export interface ResourceDeclaration extends CapabilityDeclaration {
  /** A URI, or a template with `{variables}`: each is one path segment and a text of `input`. */
  readonly uri: string;
  /** The variables of the template; empty without any. */
  readonly input: z.ZodObject;
  /** The content, sent as JSON: members outside of the schema are dropped. `text`: a text; `blob`: bytes in Base64. */
  readonly output: z.ZodObject | 'text' | 'blob';
  /** Media type of `text` and `blob`. */
  readonly mimeType?: string;
}

export const RESOURCE_METADATA = 'lyceum:resource';

/** Makes a method of a provider a resource of the service, which a client can add to a conversation. */
export function Resource(declaration: ResourceDeclaration): MethodDecorator {
  return SetMetadata(RESOURCE_METADATA, declaration);
}
