const paths = {
  chevron: 'M7.5 4.5L13 10l-5.5 5.5',
  check: 'M4 10.5l4 4 8-9',
  copy: 'M7 7V4.5h8.5V13H13M4.5 7H13v8.5H4.5z',
  cross: 'M5 5l10 10M15 5L5 15',
  external: 'M8 5H5v10h10v-3M11 4.5h4.5V9M15 5l-6 6',
  warning: 'M10 4l7 12.5H3zM10 9v3.5M10 14.5v.1',
  sun: 'M10 7a3 3 0 100 6 3 3 0 000-6M10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M15.3 4.7l-1 1M5.7 14.3l-1 1',
  moon: 'M16 11.5A6.5 6.5 0 118.5 4a5 5 0 007.5 7.5z'
} as const

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
