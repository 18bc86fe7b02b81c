import type { Chart, Figure } from '../figures.ts'

/**
 * A chart of bars: figures of one unit, each beside what it is compared with, which is the same for all of them.
 * @param figures by the names of their groups
 */
export function comparison(name: string, title: string, figures: Record<string, Figure>): Chart {
  const all = Object.values(figures)
  const [first] = all
  if (first === undefined) throw new TypeError('a chart without figures')
  return {
    name,
    title,
    unit: first.unit,
    over: { groups: Object.keys(figures) },
    series: [
      { label: 'the service', values: all.map(({ value }) => value) },
      ...(first.beside ?? []).map(({ label }, index) => ({
        label,
        values: all.map(({ beside }) => beside?.[index]?.value ?? 0)
      }))
    ]
  }
}
