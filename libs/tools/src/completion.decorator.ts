import { SetMetadata } from '@nestjs/common';

export interface CompletionDeclaration {
  /** Name of a resource template or prompt of the same service, with the same access. */
  readonly of: string;
  /** Its variable or argument. */
  readonly argument: string;
}

export const COMPLETION_METADATA = 'lyceum:completion';

/** Makes a method the completion of an argument, from `CompletionInput` to `CompletionOutput`. */
export function Completion(declaration: CompletionDeclaration): MethodDecorator {
  return SetMetadata(COMPLETION_METADATA, declaration);
}
