import type { Chart } from '../figures.ts'
import { withUnit } from '../table.ts'
import { linear, ticksFor } from './axis.ts'
import { colour, TOP, text, WIDTH } from './svg.ts'

const [LEFT, RIGHT] = [70, WIDTH - 20]
/** Of one panel: all of it, and where its plot begins and ends. */
const [PANEL, PLOT_TOP, PLOT_BOTTOM] = [104, 20, 90]
/** Room for the minutes below the last panel. */
const AXIS = 26

/** A panel for each series, one below the other, each with an axis of its own that begins at zero. */
export function drawPanels({ series }: Chart, minutes: readonly number[]) {
  const last = Math.max(...minutes)
  const across = linear(0, last)
  const x = (minute: number) => Math.round(LEFT + across(minute) * (RIGHT - LEFT))

  const panels = series.flatMap(({ label, values }, index) => {
    const top = TOP - AXIS + index * PANEL
    const highest = ticksFor(values, false).at(-1) ?? 1
    const up = linear(0, highest)
    const y = (value: number) => Math.round(top + PLOT_BOTTOM - up(value) * (PLOT_BOTTOM - PLOT_TOP))
    const points = minutes.map((minute, position) => `${x(minute)},${y(values[position] ?? 0)}`)
    return [
      text(LEFT, top + PLOT_TOP - 6, label),
      ...[0, highest].flatMap(tick => [
        `<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/>`,
        text(LEFT - 8, y(tick) + 4, withUnit(tick, ''), 'end')
      ]),
      `<polyline class="line" points="${points.join(' ')}" stroke="${colour(index)}"/>`
    ]
  })
  const bottom = TOP - AXIS + series.length * PANEL
  const times = [0, last / 2, last].map(minute =>
    text(x(minute), bottom + 8, `${withUnit(minute, '')} min`, minute === last ? 'end' : 'middle')
  )
  return { height: bottom + AXIS, drawing: [...panels, ...times] }
}
