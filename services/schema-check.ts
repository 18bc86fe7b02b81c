import type { Static, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

export type SchemaCheck<T extends TSchema> = Pick<TypeCheck<T>, 'Check' | 'Errors'>

/** The type of values that pass a check. */
export type CheckedBy<C> = C extends SchemaCheck<infer T> ? Static<T> : never

export const checkFor = <T extends TSchema>(schema: T): SchemaCheck<T> => TypeCompiler.Compile(schema)
