import { type SchemaOptions, type Static, type TSchema, Type } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

export type SchemaCheck<T extends TSchema> = Pick<TypeCheck<T>, 'Check' | 'Errors'>

export type CheckedBy<C> = C extends SchemaCheck<infer T> ? Static<T> : never

export const checkFor = <T extends TSchema>(schema: T): SchemaCheck<T> => TypeCompiler.Compile(schema)

export const anything = checkFor(Type.Unknown())

/** Builds a schema for checks. TypeCompiler cannot compile `oneOf` of `schemas/leaves.ts`, which is for documents. */
export const literals = <const Word extends string>(words: readonly Word[], options: SchemaOptions = {}) =>
  Type.Union(
    words.map(word => Type.Literal(word)),
    options
  )
