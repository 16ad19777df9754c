import { SetMetadata } from '@nestjs/common';

export interface CompletionDeclaration {
  /** Name of a resource with a template, or of a prompt, of the same service: whoever may use that may complete for it. */
  readonly of: string;
  /** Its variable or argument. */
  readonly argument: string;
}

export const COMPLETION_METADATA = 'lyceum:completion';

/** Makes a method complete an argument: it gets `CompletionInput` and answers `CompletionOutput`. */
export function Completion(declaration: CompletionDeclaration): MethodDecorator {
  return SetMetadata(COMPLETION_METADATA, declaration);
}
