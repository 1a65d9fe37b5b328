use super::*;

const NOTHING: HostFacts = HostFacts {
    root: false,
    filtered: false,
    kubernetes: false,
    podman: false,
    docker: false,
    no_user_namespaces: false,
    root_user_namespaces: false,
    restricted_user_namespaces: false,
};

#[test]
fn each_place_has_its_own_line() {
    let filtered = HostFacts { filtered: true, ..NOTHING };
    let docker = HostFacts { docker: true, ..filtered };
    let ubuntu = HostFacts { restricted_user_namespaces: true, ..NOTHING };
    let places = [
        (docker, "docker run --security-opt seccomp=unconfined"),
        (HostFacts { root: true, ..docker }, "docker run --cap-add SYS_ADMIN"),
        (HostFacts { podman: true, ..filtered }, "podman run --security-opt"),
        (HostFacts { kubernetes: true, ..docker }, "seccompProfile"),
        (HostFacts { kubernetes: true, root: true, ..filtered }, "capabilities: {add"),
        (filtered, "a filter of system calls"),
        (ubuntu, "kernel.apparmor_restrict_unprivileged_userns=0"),
        // The filter of the container refused the call before the setting of the machine could.
        (HostFacts { restricted_user_namespaces: true, ..docker }, "docker run"),
        (HostFacts { filtered: false, docker: true, ..ubuntu }, "kernel.apparmor_restrict"),
        (HostFacts { no_user_namespaces: true, ..NOTHING }, "user.max_user_namespaces=15000"),
        (HostFacts { root_user_namespaces: true, ..NOTHING }, "userns_clone=1"),
        (NOTHING, "run as root"),
    ];
    for (facts, part) in places {
        let text = Remedy::Namespaces.text(facts);
        assert!(text.contains(part), "{facts:?}: {text}");
    }
}

#[test]
fn root_is_never_told_to_run_as_root() {
    for bits in 0..128_u8 {
        let is = |bit: u8| bits >> bit & 1 == 1;
        let facts = HostFacts {
            root: true,
            filtered: is(0),
            kubernetes: is(1),
            podman: is(2),
            docker: is(3),
            no_user_namespaces: is(4),
            root_user_namespaces: is(5),
            restricted_user_namespaces: is(6),
        };
        for remedy in [Remedy::Namespaces, Remedy::ControlGroups, Remedy::Landlock] {
            let text = remedy.text(facts);
            assert!(!text.contains("run as root"), "{facts:?}: {text}");
        }
    }
}
