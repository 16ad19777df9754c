import { SetMetadata } from '@nestjs/common';
import type { z } from 'zod';
import type { CapabilityDeclaration } from './tool.decorator.js';

export interface PromptDeclaration extends CapabilityDeclaration {
  /** Its arguments: texts, as the protocol requires, each with a description. */
  readonly input: z.ZodObject;
}

export const PROMPT_METADATA = 'lyceum:prompt';

/** Makes a method of a provider a prompt of the service; it returns `PromptOutput`. */
export function Prompt(declaration: PromptDeclaration): MethodDecorator {
  return SetMetadata(PROMPT_METADATA, declaration);
}
