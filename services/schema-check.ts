import { type SchemaOptions, type Static, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

export type SchemaCheck<T extends TSchema> = Pick<TypeCheck<T>, 'Check' | 'Errors'>

/** The type of values that pass a check. */
export type CheckedBy<C> = C extends SchemaCheck<infer T> ? Static<T> : never

export const checkFor = <T extends TSchema>(schema: T): SchemaCheck<T> => TypeCompiler.Compile(schema)

/** A schema of these words for checks. Documents use the enumeration of `schemas/leaves.ts`, which no check compiles. */
export const literals = <const Word extends string>(words: readonly Word[], options: SchemaOptions = {}) =>
  Type.Union(
    words.map(word => Type.Literal(word)),
    options
  )
