import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { drawChart } from '../../bench/report/chart/index.ts'
import { chartPath, withResults } from '../../bench/report/page.ts'
import { Results } from '../../bench/report/results.ts'
import { test } from '../helpers/tap.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const { suites } = Value.Parse(Results, JSON.parse(read('bench/results.json')))
const page = read('docs/performance.md')

test('the page and its charts show what is recorded', async t => {
  for (const [suite, recorded] of Object.entries(suites)) {
    t.equal(withResults(page, suite, recorded), page, suite)
    for (const chart of recorded.benchmarks.flatMap(({ charts = [] }) => charts)) {
      t.equal(read(join('docs', chartPath(suite, chart))), drawChart(chart), chart.name)
    }
  }
})

test('a page without a place for a suite is an error', async t => {
  const [recorded] = Object.values(suites)
  t.throws(() => recorded && withResults('# Performance', 'submit', recorded), {
    message: 'the page has no place for submit'
  })
})

const bars = {
  name: 'rates',
  title: 'Answers per second',
  unit: '/s',
  over: { groups: ['/health', '<other>'] },
  series: [
    { label: 'the service', values: [20_000, 10_000] },
    { label: 'bare', values: [30_000, 15_000] }
  ]
}

test('a chart of bars has each value as text, and all of them in words', async t => {
  const svg = drawChart(bars)
  for (const value of ['20,000/s', '10,000/s', '30,000/s', '15,000/s']) t.match(svg, `>${value}</text>`)
  t.match(svg, '<title id="title">Answers per second</title>')
  t.match(
    svg,
    '>the service: /health 20,000/s, &#60;other&#62; 10,000/s; bare: /health 30,000/s, &#60;other&#62; 15,000/s</desc>'
  )
})

test('bars are as long as their values', async t => {
  const widths = [...drawChart(bars).matchAll(/<rect x="190" y="\d+" width="(\d+)"/g)].map(([, width]) =>
    Number(width)
  )
  t.strictSame(widths, [293, 440, 147, 220])
})

test('a line has its points on two axes', async t => {
  const svg = drawChart({
    name: 'clients',
    title: 'Submissions per second',
    unit: '/s',
    logarithmic: true,
    over: { axis: 'clients', places: [1, 10, 100] },
    series: [
      { label: 'the service', values: [1, 10, 100] },
      { label: 'usual way', values: [0.1, 0.1, 0] }
    ]
  })
  const points = [...svg.matchAll(/points="([^"]*)"/g)].map(([, points]) => points)
  t.strictSame(
    points,
    ['110,215 395,141 680,68', '110,288 395,288'],
    'nothing has no place on a logarithmic axis'
  )
  t.match(svg, '>the service: 1 clients 1/s, 10 clients 10/s, 100 clients 100/s; usual way:')
})

test('a value over time has a panel of its own, and its range in words', async t => {
  const svg = drawChart({
    name: 'run',
    title: 'Ten minutes',
    unit: '',
    over: { minutes: [0, 5, 10] },
    series: [
      { label: 'memory, MB', values: [80, 90, 100] },
      { label: 'sockets', values: [4, 4, 4] }
    ]
  })
  const points = [...svg.matchAll(/points="([^"]*)"/g)].map(([, points]) => points)
  t.strictSame(points, ['70,76 385,69 700,62', '70,166 385,166 700,166'])
  t.match(svg, '>memory, MB: 80 to 100; sockets: 4 to 4</desc>')
  for (const text of ['memory, MB', 'sockets', '100', '5 min']) t.match(svg, `>${text}</text>`)
})
