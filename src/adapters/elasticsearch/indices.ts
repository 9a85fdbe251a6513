import type { ElasticsearchSetting } from '../../settings/engines.js';
import { type Cluster, ElasticsearchFault } from './client.js';
import { aliasOf, type IndexKind, indexBody, isIndexOf } from './mapping.js';

/** An index as the cluster has it. */
export interface FoundIndex {
  readonly name: string;
  /** The id that the cluster has given it. Another index of the same name has another one. */
  readonly uuid: string;
  /** The id of the store that it belongs to; empty if it was made by something else. */
  readonly store: string;
  readonly shards: number;
  /** Copies of each shard, besides the shard itself. */
  readonly replicas: number;
}

/** The indices of a prefix in a cluster. Every method may fail with an ElasticsearchFault, and may be repeated. */
export type Indices = ReturnType<typeof indicesOf>;

export function indicesOf(cluster: Cluster, setting: ElasticsearchSetting) {
  const prefix = setting.indexPrefix;
  const alias = aliasOf(prefix);

  async function find(): Promise<FoundIndex[]> {
    const found = await cluster.ask((client) =>
      client.indices.get({
        index: `${alias}-*`,
        allow_no_indices: true,
        expand_wildcards: 'all',
        filter_path:
          '*.settings.index.uuid,*.settings.index.number_of_shards,*.settings.index.number_of_replicas,*.mappings._meta',
      }),
    );
    return Object.entries(found)
      .filter(([name]) => isIndexOf(prefix, name))
      .map(([name, { settings, mappings }]) => ({
        name,
        uuid: String(settings?.index?.uuid ?? ''),
        store: String(mappings?._meta?.store ?? ''),
        shards: Number(settings?.index?.number_of_shards ?? 1),
        replicas: Number(settings?.index?.number_of_replicas ?? 1),
      }));
  }

  return {
    find,
    /** Makes an index. Nothing happens when there is one with this name. */
    async make(kind: IndexKind): Promise<void> {
      const nodes = await cluster.ask((client) => client.cluster.health({ filter_path: 'number_of_data_nodes' }));
      const body = indexBody(setting, kind, nodes.number_of_data_nodes <= 1);
      try {
        await cluster.ask((client) => client.indices.create(body, { requestTimeout: 30_000 }));
      } catch (error) {
        if (!(error instanceof ElasticsearchFault) || error.type !== 'resource_already_exists_exception') throw error;
      }
    },
    /** Gives an index the number of copies that the setting names, if it names one. */
    async replicate({ name, replicas }: FoundIndex): Promise<void> {
      const wanted = setting.replicas;
      if (wanted === undefined || wanted === replicas) return;
      const settings = { number_of_replicas: wanted };
      await cluster.ask((client) => client.indices.putSettings({ index: name, settings }));
    },
    /** Makes searches find everything that was sent to this index before the call. */
    async refresh(name: string): Promise<void> {
      await cluster.ask((client) => client.indices.refresh({ index: name }));
    },
    /** Makes searches find this index and no other one, in one step. */
    async serve(name: string): Promise<void> {
      const others = (await find()).filter((one) => one.name !== name).map((one) => one.name);
      const remove = others.map((index) => ({ remove: { index, alias, must_exist: false } }));
      await cluster.ask(async (client) => {
        await client.indices.refresh({ index: name });
        await client.indices.updateAliases({ actions: [...remove, { add: { index: name, alias } }] });
      });
    },
    /** Whether searches find this index. */
    async isServed(name: string): Promise<boolean> {
      return cluster.ask((client) => client.indices.existsAlias({ index: name, name: alias }));
    },
    async remove(name: string): Promise<void> {
      await cluster.ask((client) => client.indices.delete({ index: name, ignore_unavailable: true }));
    },
    /**
     * The number of operations that an index has had, which only grows.
     * @returns null while a shard does not answer
     */
    async operations(name: string, shards: number): Promise<number | null> {
      const { indices } = await cluster.ask((client) =>
        client.indices.stats({ index: name, level: 'shards', metric: 'docs', filter_path: '**.seq_no' }),
      );
      const found = Object.values(indices?.[name]?.shards ?? {});
      if (found.length < shards) return null;
      return found.reduce(
        (sum, copies) => sum + Math.max(...copies.map(({ seq_no }) => 1 + (seq_no?.max_seq_no ?? -1))),
        0,
      );
    },
  };
}
