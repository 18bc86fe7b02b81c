import { Histogram, type HistogramConfiguration } from 'prom-client'

type Labels<T extends string> = Partial<Record<T, string | number>>

type Configuration<T extends string> = HistogramConfiguration<T> & { buckets: number[] }

interface Child<T extends string> {
  labels: Labels<T>
  /** The observations in each bucket; the last one has what is above all bounds. */
  counts: number[]
  total: { sum: number }
}

/**
 * A histogram of what every request reports. prom-client writes the labels of each observation as a text to find its counts,
 * which takes longer than reading a cache; here `child` finds them once.
 */
export class CountedHistogram<T extends string> extends Histogram<T> {
  readonly #configuration: Configuration<T>
  readonly #children: Child<T>[] = []

  constructor(configuration: Configuration<T>) {
    super(configuration)
    this.#configuration = configuration
  }

  /** What observes values with these labels. */
  child(labels: Labels<T>): (value: number) => void {
    const { buckets: bounds } = this.#configuration
    const counts = Array<number>(bounds.length + 1).fill(0)
    const total = { sum: 0 }
    this.#children.push({ labels, counts, total })
    return value => {
      let bucket = 0
      while (value > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
      counts[bucket] = (counts[bucket] ?? 0) + 1
      total.sum += value
    }
  }

  /** What the registry writes; the types of prom-client leave it out. */
  async getForPromString() {
    const { name, help } = this.#configuration
    return { name, help, type: 'histogram', values: this.#children.flatMap(child => this.#samples(child)) }
  }

  /** As prom-client has them; none before the first observation. */
  #samples({ labels, counts, total }: Child<T>) {
    const { name, buckets: bounds } = this.#configuration
    let count = 0
    const buckets = counts.map((inBucket, index) => {
      count += inBucket
      const le = bounds[index] ?? '+Inf'
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
    })
    if (count === 0) return []
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: total.sum },
      { metricName: `${name}_count`, labels, value: count }
    ]
  }
}
