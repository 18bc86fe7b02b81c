const paths = {
  check: 'M4 10.5l4 4 8-9',
  copy: 'M7 7V4.5h8.5V13H13M4.5 7H13v8.5H4.5z',
  cross: 'M5 5l10 10M15 5L5 15',
  external: 'M8 5H5v10h10v-3M11 4.5h4.5V9M15 5l-6 6',
  warning: 'M10 4l7 12.5H3zM10 9v3.5M10 14.5v.1'
} as const

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
