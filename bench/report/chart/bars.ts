import type { Chart } from '../figures.ts'
import { withUnit } from '../table.ts'
import { colour, TOP, text, WIDTH } from './svg.ts'

const BAR = 18
const GAP = 12
/** Room for the names of the groups, and for the values after the bars. */
const NAMES = 190
const VALUES = 90

/** Horizontal bars in groups, each with its value at its end. */
export function drawBars({ series, unit }: Chart, groups: readonly string[]) {
  const longest = Math.max(...series.flatMap(({ values }) => values))
  const groupHeight = series.length * BAR + GAP

  const bar = (value: number, group: number, index: number) => {
    const y = TOP + group * groupHeight + index * BAR
    const width = Math.max(1, Math.round((value / longest) * (WIDTH - NAMES - VALUES)))
    const label = text(NAMES + width + 6, y + BAR - 5, withUnit(value, unit))
    return `<rect x="${NAMES}" y="${y}" width="${width}" height="${BAR - 2}" fill="${colour(index)}"/>${label}`
  }

  return {
    height: TOP + groups.length * groupHeight,
    drawing: groups.flatMap((name, group) => [
      text(NAMES - 10, TOP + group * groupHeight + (series.length * BAR) / 2 + 4, name, 'end'),
      ...series.map(({ values }, index) => bar(values[group] ?? 0, group, index))
    ])
  }
}
