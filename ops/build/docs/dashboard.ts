import { engineRows } from './panels/engines.js';
import type { Panel } from './panels/panel.js';
import { serviceRows } from './panels/service.js';

const rows = [...serviceRows, ...engineRows];

const perRow = 2;
const width = 24 / perRow;
const height = 8;
const datasource = { type: 'prometheus', uid: '$datasource' };

function panelsOf(): object[] {
  let y = 0;
  return rows.flatMap(({ title, panels }) => {
    const header = { type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] };
    const placed = panels.map((panel, at) => {
      const place = { x: (at % perRow) * width, y: y + 1 + Math.floor(at / perRow) * height, w: width, h: height };
      return timeSeries(panel, place);
    });
    y += 1 + Math.ceil(panels.length / perRow) * height;
    return [header, ...placed];
  });
}

const timeSeries = ({ title, description, unit, series }: Panel, gridPos: object) => ({
  type: 'timeseries',
  title,
  description,
  datasource,
  gridPos,
  fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } }, overrides: [] },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: series.map(({ query, legend }, at) => ({
    refId: String.fromCharCode(65 + at),
    datasource,
    expr: query,
    legendFormat: legend,
  })),
});

/** The dashboard of Grafana, `ops/monitoring/dashboard.json`. Panels are added in `panels/`, and `npm run docs` writes the file. */
export function dashboard(): string {
  const document = {
    title: 'Counterfoil',
    uid: 'counterfoil',
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panelsOf().map((panel, id) => ({ id: id + 1, ...panel })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
