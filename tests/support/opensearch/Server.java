import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One node of OpenSearch for tests: HTTP on 127.0.0.1 without sign-in, with its files in a folder of its own. It ends
 * when its input ends, so that it does not outlive who started it.
 *
 * Usage: java -cp 'lib/*' Server.java FOLDER NAME HTTP_PORT TRANSPORT_PORT TRANSPORT_PORT_OF_EACH_NODE,…
 */
public class Server extends Node {
  Server(Settings settings, Collection<Class<? extends Plugin>> plugins) {
    super(
        InternalSettingsPreparer.prepareEnvironment(
            settings, Map.of(), Path.of(settings.get("path.home"), "config"), () -> "node"),
        plugins,
        true);
  }

  public static void main(String[] args) throws Exception {
    Files.createDirectories(Path.of(args[0], "config"));
    List<String> nodes = Stream.of(args[4].split(",")).map(port -> "127.0.0.1:" + port).toList();
    Settings settings =
        Settings.builder()
            .put("path.home", args[0])
            .put("cluster.name", "tests-" + args[4])
            .put("node.name", args[1])
            .putList("discovery.seed_hosts", nodes)
            .putList("cluster.initial_cluster_manager_nodes", nodes)
            .put("network.host", "127.0.0.1")
            .put("http.port", args[2])
            .put("transport.port", args[3])
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            // Every test file has indexes of its own.
            .put("cluster.max_shards_per_node", 10_000)
            .build();
    Node node =
        new Server(
            settings,
            List.of(
                Netty4Plugin.class,
                org.opensearch.analysis.common.CommonAnalysisPlugin.class,
                PainlessPlugin.class,
                ReindexPlugin.class,
                KNNPlugin.class));
    node.start();
    System.out.println("started");
    while (System.in.read() >= 0) {}
    node.close();
    System.exit(0);
  }
}
