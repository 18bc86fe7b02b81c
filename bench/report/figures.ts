import { type Static, Type } from '@sinclair/typebox'

/** The bound that a value must meet. */
const Target = Type.Union([Type.Object({ atLeast: Type.Number() }), Type.Object({ atMost: Type.Number() })])

const Figure = Type.Object({
  name: Type.String(),
  unit: Type.String(),
  value: Type.Number(),
  target: Type.Optional(Target),
  /** The same value of something else in the same run: a bare server, the usual way to a chain, an empty store. */
  beside: Type.Optional(Type.Array(Type.Object({ label: Type.String(), value: Type.Number() })))
})
/** One measured value, with what it is compared with. */
export type Figure = Static<typeof Figure>

const Chart = Type.Object({
  /** Part of the name of its file. */
  name: Type.String(),
  title: Type.String(),
  unit: Type.String(),
  /**
   * The groups of bars; or the axis below the lines, which is logarithmic, and the places of their points on it; or the
   * minutes of the points of lines that have a panel each.
   */
  over: Type.Union([
    Type.Object({ groups: Type.Array(Type.String()) }),
    Type.Object({ axis: Type.String(), places: Type.Array(Type.Number()) }),
    Type.Object({ minutes: Type.Array(Type.Number()) })
  ]),
  /** Whether lines are drawn on a logarithmic axis of values. */
  logarithmic: Type.Optional(Type.Boolean()),
  /** A value for each group or place. */
  series: Type.Array(Type.Object({ label: Type.String(), values: Type.Array(Type.Number()) }))
})
/** A picture of some of the figures. */
export type Chart = Static<typeof Chart>

export const BenchmarkResult = Type.Object({
  name: Type.String(),
  /** What was measured and under which conditions. */
  conditions: Type.String(),
  figures: Type.Array(Figure),
  /** Sentences that explain the figures. */
  notes: Type.Array(Type.String()),
  charts: Type.Optional(Type.Array(Chart))
})
export type BenchmarkResult = Static<typeof BenchmarkResult>

export function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}
