import type { Static, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { ValueErrorIterator } from '@sinclair/typebox/errors'

/** Says whether values have the shape of a schema, and what is wrong with those that have not. */
export interface SchemaCheck<T extends TSchema> {
  Check(value: unknown): value is Static<T>
  Errors(value: unknown): ValueErrorIterator
}

/** The type of the values that pass a check. */
export type CheckedBy<C> = C extends SchemaCheck<infer T> ? Static<T> : never

/** A check that is compiled when it is first used: the start needs few of them. */
export function checkFor<T extends TSchema>(schema: T): SchemaCheck<T> {
  let check: TypeCheck<T> | undefined
  const compiled = () => (check ??= TypeCompiler.Compile(schema))
  return {
    Check: (value): value is Static<T> => compiled().Check(value),
    Errors: value => compiled().Errors(value)
  }
}
