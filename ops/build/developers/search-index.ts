import MiniSearch from 'minisearch';
import type { ApiDocument } from '../../../src/http/openapi/shape.js';
import { type Found, searchOptions } from '../../../src/web/developers/search-options.js';
import { anchorOf } from './anchors.js';
import { apiPathOf, tagsOf } from './place.js';
import { apiPath, docFiles, pathOf, readDoc } from './site.js';

interface Section extends Found {
  readonly id: number;
  readonly text: string;
}

/** Every section of every page and every operation of the API, as the browser searches them. */
export function searchIndex(api: ApiDocument): string {
  const index = new MiniSearch<Section>(searchOptions);
  const sections = [
    ...docFiles.filter((file) => !['', apiPath].includes(pathOf(file))).flatMap(sectionsOf),
    ...operationsOf(api),
  ];
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return JSON.stringify(index);
}

function sectionsOf(file: string): Omit<Section, 'id'>[] {
  const text = readDoc(file).replaceAll(/^```(json|text).*?^```$/gms, '');
  const [opening = '', ...parts] = text.split(/\n##+ (?=\S)/);
  const page = /^# (.+)$/m.exec(opening)?.[1] ?? file;
  const path = pathOf(file);
  const of = (part: string) => part.replaceAll(/[`*|#[\]()]/g, ' ');
  return [
    { page, title: page, url: path, text: of(opening) },
    ...parts.map((part) => {
      const [heading = ''] = part.split('\n');
      return { page, title: heading.replaceAll('`', ''), url: `${path}#${anchorOf(heading)}`, text: of(part) };
    }),
  ];
}

function operationsOf(api: ApiDocument): Omit<Section, 'id'>[] {
  return tagsOf(api).flatMap(({ id, name, places }) =>
    places.map(({ method, path, operation: { operationId, summary } }) => ({
      page: `API: ${name}`,
      title: summary,
      url: `${apiPathOf(id)}#${operationId}`,
      text: `${method.toUpperCase()} ${path} ${operationId}`,
    })),
  );
}
